// A hook of Node's loader: job files import 'airank-warehouse' also where no node_modules above them has it, as beside a
// global install. It runs in the thread that imports or, before Node 22.15, in one of its own, where `next` gives
// promises. JavaScript, because nothing reads TypeScript in that thread.

/** All that a job file takes of the package. */
const ownText = 'data:text/javascript,export const defineJob = (job) => job;';

/** A package that is found by itself goes first. */
export function resolve(specifier, context, next) {
  if (specifier !== 'airank-warehouse') return next(specifier, context);
  try {
    const found = next(specifier, context);
    return found instanceof Promise ? found.catch(resolveOwn) : found;
  } catch (error) {
    return resolveOwn(error);
  }
}

function resolveOwn(error) {
  if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  return { url: ownText, format: 'module', shortCircuit: true };
}

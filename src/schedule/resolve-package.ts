// Job files import from 'airank-warehouse' wherever they are: beside a global install no node_modules above them has it.
import { register } from 'node:module';

/** A job file takes nothing of the package but this; a package that is found by itself goes first. */
const hook = `
const own = 'data:text/javascript,export const defineJob = (job) => job;';
export async function resolve(specifier, context, next) {
  if (specifier !== 'airank-warehouse') return await next(specifier, context);
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return { url: own, format: 'module', shortCircuit: true };
  }
}`;

let isRegistered = false;

/** For the whole process; more than once is once. */
export function resolvePackageName(): void {
  if (isRegistered) return;
  isRegistered = true;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

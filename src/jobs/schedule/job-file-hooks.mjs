// Hooks of Node's loader: job files may be TypeScript on every Node, and their import of 'airank-warehouse' works where
// no node_modules above them has it, as beside a global install. They run in the thread that imports or, before Node
// 22.15, in one of their own, where `next` gives promises. JavaScript, because nothing reads TypeScript there yet.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** All that a job file takes of the package. */
const ownText = 'data:text/javascript,export const defineJob = (job) => job;';

/** Where the sources of the program are, as a URL: they are not read here. */
let program = '';

export function initialize(data) {
  program = data.program;
}

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

/** Node's own way is not taken where it has one, so that a file means the same on all versions, without a warning. */
export function load(url, context, next) {
  const isTypeScript = /^file:[^?#]*\.ts([?#]|$)/.test(url) && !url.startsWith(program);
  if (!isTypeScript) return next(url, context);
  return { format: 'module', source: withoutTypes(fileURLToPath(url)), shortCircuit: true };
}

/** Types become blanks: what an error says of lines stays true. */
function withoutTypes(path) {
  // Large, so only where there is TypeScript. The build puts it beside this file.
  const swc = createRequire(import.meta.url)(
    import.meta.url.endsWith('.mjs') ? '@swc/wasm-typescript' : './wasm-typescript.cjs',
  );
  const text = readFileSync(path, 'utf8');
  try {
    return swc.transformSync(text, { mode: 'strip-only', module: true, filename: path }).code;
  } catch (fault) {
    if (typeof fault?.startLine !== 'number') throw fault;
    const { code, message, startLine: line } = fault;
    // Its own fields, and no others, reach the thread that imports.
    throw Object.assign(new Error(message), {
      code: code === 'UnsupportedSyntax' ? 'AIRANK_MORE_THAN_TYPES' : 'AIRANK_NO_TYPESCRIPT',
      path,
      line,
    });
  }
}

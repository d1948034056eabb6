// Hooks of Node's loader, in a thread that it gives them: job files may be TypeScript on every Node, and their import of
// 'airank-warehouse' works where no node_modules above them has it, as beside a global install. JavaScript, because
// nothing reads TypeScript in that thread yet.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** All that a job file takes of the package. */
const ownText = 'data:text/javascript,export const defineJob = (job) => job;';

/** Where the sources of the program are, as a URL: they are not read here. */
let program = '';

export function initialize(data) {
  program = data.program;
}

/** A package that is found by itself goes first. */
export async function resolve(specifier, context, next) {
  if (specifier !== 'airank-warehouse') return await next(specifier, context);
  try {
    return await next(specifier, context);
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return { url: ownText, format: 'module', shortCircuit: true };
  }
}

/** Node's own way is not taken where it has one, so that a file means the same on all versions, without a warning. */
export async function load(url, context, next) {
  const isTypeScript = /^file:[^?#]*\.ts([?#]|$)/.test(url) && !url.startsWith(program);
  if (!isTypeScript) return await next(url, context);
  const path = fileURLToPath(url);
  return { format: 'module', source: await withoutTypes(path), shortCircuit: true };
}

/** Types become blanks: what an error says of lines stays true. */
async function withoutTypes(path) {
  const { default: swc } = await import('@swc/wasm-typescript');
  const text = await readFile(path, 'utf8');
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

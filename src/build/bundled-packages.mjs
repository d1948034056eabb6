// The packages that a build holds, read from what esbuild says of its files.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Files of which at least a byte is in the build: what was read and then left out is not in it.
 * @param metafile of esbuild
 */
export function filesWithin(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])))];
}

/**
 * Each package that files are of, by its folder: one that lies within another one is a package of its own.
 * @param root folder that the files are named from
 */
export function packagesOf(root, files) {
  const folders = new Set(
    files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return { folder, name, version, license, texts: licenceTexts(join(root, folder)) };
  });
}

/** The texts of its files, also of licenses/LICENSE-d3, what it took from others; else what its README says. */
function licenceTexts(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  const read = (file) => readFileSync(join(folder, file), 'utf8').trim();
  const texts = files
    .filter((file) => /^(licenses\/)?(licen[cs]e|copying|notice)[^/]*$/i.test(file))
    .map(read);
  if (texts.length > 0) return texts;
  const readme = files.find((file) => /^readme(\.md)?$/i.test(file));
  const chapters = readme ? read(readme).split(/^#+ */m) : [];
  const chapter = chapters.find((text) => /^licen[cs]e *\n/i.test(text)) ?? '';
  const text = chapter.slice(chapter.indexOf('\n'));
  return /permission|redistribution/i.test(text) ? [text.trim()] : [];
}

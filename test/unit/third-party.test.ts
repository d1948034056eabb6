// What a build says of the packages that it holds: their licences, and the list of them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

interface Package {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly texts: readonly string[];
}

const from = async (name: string) => await import(new URL(`../../src/build/${name}`, import.meta.url).href);
let root: string;
let packagesOf: (root: string, files: readonly string[]) => Package[];
let filesWithin: (metafile: object) => string[];
let thirdPartyLicences: (packages: readonly Package[]) => string;
let sbom: (lock: object, folders: readonly string[]) => object;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'airank-third-party-'));
  ({ packagesOf, filesWithin } = await from('bundled-packages.mjs'));
  ({ thirdPartyLicences } = await from('third-party-licences.mjs'));
  ({ sbom } = await from('sbom.mjs'));
});

afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Writes a package, and says what is found of it. */
function packaged(folder: string, license: string, files: Readonly<Record<string, string>>): Package[] {
  const name = folder.replace(/^.*node_modules\//, '');
  const all = { ...files, 'package.json': JSON.stringify({ name, version: '1.0.0', license }) };
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, folder, file)), { recursive: true });
    writeFileSync(join(root, folder, file), text);
  }
  return packagesOf(root, [`${folder}/index.js`]);
}

describe('the licences of a build', () => {
  test('are the texts of each package, and of what it took from others', () => {
    const files = { LICENSE: 'Permission is granted.', 'licenses/LICENSE-other': 'By others.' };
    const found = packaged('node_modules/@scope/good', 'MIT', files);
    expect(thirdPartyLicences(found)).toBe('@scope/good 1.0.0 (MIT)\n\nPermission is granted.\n\nBy others.');
  });

  test('are taken from a chapter of the README where there is no file', () => {
    const readme =
      '# Title\n\nPermission to laugh.\n\n## License\n\nPermission is granted.\n\n## Thanks\n\nTo all.';
    const [found] = packaged('node_modules/chapter', 'MIT', { 'README.md': readme });
    expect(found?.texts).toEqual(['Permission is granted.']);
  });

  test.each([{}, { 'README.md': '# Title\n\n## License\n\nMIT' }])(
    'stop the build where a package has no text: %o',
    (files) => {
      const found = packaged(`node_modules/bare-${Object.keys(files).length}`, 'MIT', files);
      expect(() => thirdPartyLicences(found)).toThrow(
        /Expected bare-\d 1\.0\.0, .* to have the text of its licence/,
      );
    },
  );

  test.each(['GPL-3.0', 'UNLICENSED', undefined])(
    'stop the build where one is not allowed: %s',
    (license) => {
      const found = packaged('node_modules/other', license ?? '', { LICENSE: 'Permission is granted.' });
      expect(() => thirdPartyLicences(found)).toThrow(/Expected other 1\.0\.0, .* one of the licences .*MIT/);
    },
  );
});

test('what was read and left out is not of the build, and what lies in a package is one of its own', () => {
  const inputs = {
    'node_modules/left-out/index.js': { bytesInOutput: 0 },
    'node_modules/taken/node_modules/within/index.js': { bytesInOutput: 12 },
  };
  packaged('node_modules/taken/node_modules/within', 'ISC', { LICENSE: 'Permission is granted.' });
  const files = filesWithin({ outputs: { 'main.js': { inputs } } });
  expect(packagesOf(root, files).map(({ name }) => name)).toEqual(['within']);
});

describe('the list of packages', () => {
  const lock = {
    packages: {
      '': {
        name: 'ours',
        version: '2.0.0',
        license: 'MIT',
        devDependencies: { one: '1.0.0', tool: '1.0.0' },
        optionalDependencies: { beside: '1.0.0' },
      },
      'node_modules/one': { version: '1.0.0', license: 'MIT', dependencies: { '@in/two': '^1.0.0' } },
      'node_modules/one/node_modules/@in/two': { version: '1.0.1', license: 'ISC', integrity: 'sha512-AAEC' },
      'node_modules/@in/two': { version: '3.0.0', license: 'ISC' },
      'node_modules/tool': { version: '1.0.0', license: 'MIT' },
      'node_modules/beside': { version: '1.0.0', dependencies: { one: '^1.0.0' } },
    },
  };
  const listed = () => sbom(lock, ['node_modules/one', 'node_modules/one/node_modules/@in/two']);

  test('has what is bundled, with hashes and licences, what is installed beside it, and no tool', () => {
    expect(listed()).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { purl: 'pkg:npm/ours@2.0.0' } },
      components: [
        {
          group: '@in',
          name: 'two',
          purl: 'pkg:npm/%40in/two@1.0.1',
          scope: 'required',
          licenses: [{ license: { id: 'ISC' } }],
          hashes: [{ alg: 'SHA-512', content: '000102' }],
        },
        { name: 'beside', scope: 'optional' },
        { name: 'one', scope: 'required' },
      ],
    });
  });

  test('says which package needs which, by the version that it gets', () => {
    expect(listed()).toMatchObject({
      dependencies: [
        { ref: 'pkg:npm/ours@2.0.0', dependsOn: ['pkg:npm/beside@1.0.0', 'pkg:npm/one@1.0.0'] },
        { ref: 'pkg:npm/%40in/two@1.0.1', dependsOn: [] },
        { ref: 'pkg:npm/beside@1.0.0', dependsOn: ['pkg:npm/one@1.0.0'] },
        { ref: 'pkg:npm/one@1.0.0', dependsOn: ['pkg:npm/%40in/two@1.0.1'] },
      ],
    });
  });
});

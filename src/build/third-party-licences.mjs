// The licences of what a build holds: each must come with its text, and be one that asks for no more than that.

/** By their names of SPDX. Others need a look by a person before they are here. */
const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense'];

/** @throws Error that names every package with a licence that is not allowed, or without a text */
export function thirdPartyLicences(packages) {
  const faults = packages.flatMap(faultOf);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return packages
    .map(({ name, version, license, texts }) => [`${name} ${version} (${license})`, ...texts].join('\n\n'))
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

function faultOf({ folder, name, version, license, texts }) {
  const which = `${name} ${version}, which the build holds,`;
  if (!allowed.includes(license)) {
    return [
      `Expected ${which} to have one of the licences ${allowed.join(', ')}, got "${license}" in ${folder}/package.json. ` +
        'Use another package, or add the licence to src/build/third-party-licences.mjs when its terms are met',
    ];
  }
  if (texts.length === 0) {
    return [
      `Expected ${which} to have the text of its licence (${license}), found no file LICENSE and no such chapter in the README of ${folder}. ` +
        'Use another version or another package',
    ];
  }
  return [];
}

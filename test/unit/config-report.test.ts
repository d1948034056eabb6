import { describe, expect, it } from 'vitest';
import { contrastOnWhite, parseHexColor, readableColor } from '../../src/config/file-schema.ts';
import { cases } from '../support/cases.ts';
import { fileFaults, good, load } from '../support/config-fixtures.ts';

const read = (text: string) => load(good, { 'airank.config.yaml': text });

describe('whose name reports bear, and who gets them', () => {
  it('is read from the file, with the logo beside it', () => {
    const { agency, report } = read(`
agency:
  name: Agencia Vértice
  logo: logo.png
  colors: { accent: '#075', text: '#222222' }
  footer: Calle Mayor 1
report:
  to: [reports@example.com]
  clients:
    c7: [María <maria@example.com>]
    agency/8: [a@example.com, b@example.com]
`);
    const colors = { accentColor: '#007755', textColor: '#222222' };
    const logo = '/work/dir/logo.png';
    expect(agency).toEqual({ name: 'Agencia Vértice', logo, ...colors, footer: 'Calle Mayor 1' });
    expect(report.to).toEqual(['reports@example.com']);
    expect(report.clients['c7']).toEqual(['María <maria@example.com>']);
    expect(report.clients['constructor']).toBeUndefined();
  });

  it('has defaults that can be read', () => {
    const { agency, report } = load(good);
    expect(contrastOnWhite(agency.accentColor)).toBeGreaterThan(4.5);
    expect(contrastOnWhite(agency.textColor)).toBeGreaterThan(4.5);
    expect(report).toEqual({ to: [], clients: {}, notes: false });
  });

  it.each(
    cases(`
  agency: { colors: { accent: red } } => agency.colors.accent to be a colour such as #0a5c8f, got "red"
  agency: { colors: { accent: '#ffcc00' } } => to be a colour that can be read on white, with a contrast of 4.5 or more, got #ffcc00, with 1.51. #8e7200 is the nearest darker one.
  agency: { colours: {} } => agency.colours is not a known name. Did you mean colors?
  agency: { colors: { acent: x } } => Did you mean accent?
  report: { to: [nobody] } => report.to[0] to be a mail address such as
  report: { clients: { c7: [] } } => report.clients.c7 to be at least one mail address
  report: { too: [] } => Did you mean to?
  agency: 7 => agency to be a mapping of name, logo, colors and footer, got 7
`),
  )('refuses %s', (text, fault) => {
    const faults = fileFaults(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });
});

it('contrast on white finds the nearest darker colour that can be read', () => {
  expect(parseHexColor('#FC0')).toBe('#ffcc00');
  expect(parseHexColor('#12345')).toBeUndefined();
  expect(contrastOnWhite(readableColor('#ffcc00'))).toBeGreaterThanOrEqual(4.5);
  expect(readableColor('#000000')).toBe('#000000');
});

// How a report looks on a screen and on A4.
import type { AgencyConfig } from '../../config/config.ts';

export function reportStyle({ accentColor, textColor }: AgencyConfig): string {
  return `
:root { --accent: ${accentColor}; --text: ${textColor}; --line: #d0d7de; --muted: #57606a; color-scheme: light; }
* { box-sizing: border-box; }
html { background: #fff; color: var(--text); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
body { max-width: 780px; margin: 0 auto; padding: 24px 20px 32px; overflow-wrap: break-word; }
header { display: flex; gap: 20px; align-items: center; justify-content: space-between;
  border-bottom: 3px solid var(--accent); padding-bottom: 14px; margin-bottom: 18px; }
header img { max-height: 56px; max-width: 200px; object-fit: contain; }
header p { margin: 0; color: var(--muted); }
h1, header p { overflow-wrap: anywhere; }
h1 { font-size: 25px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 18px; line-height: 1.3; margin: 26px 0 8px; color: var(--accent); }
h3 { font-size: 15px; margin: 16px 0 6px; }
ul.sentences { list-style: none; margin: 0; padding: 0; font-size: 16px; }
ul.sentences li { border-left: 4px solid var(--accent); padding: 1px 0 1px 12px; margin: 0 0 8px; }
.notice { border: 2px solid #b34700; border-radius: 6px; padding: 8px 12px; margin: 0 0 16px; }
figure { margin: 8px 0 0; }
figure svg { display: block; width: 100%; height: auto; }
figure .narrow { display: none; }
figcaption, .note, footer { color: var(--muted); font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 4px 0 0; }
table.figures { table-layout: fixed; }
table.figures th:first-child { width: 52%; }
caption { text-align: left; font-weight: 600; padding: 8px 0 2px; }
th, td { text-align: left; vertical-align: top; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: 13px; color: var(--muted); }
tbody th { color: inherit; font-size: inherit; font-weight: 400; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; padding-right: 0; padding-left: 10px; }
td.number + td:not(.number), th.number + th:not(.number) { padding-left: 16px; }
td.date { white-space: nowrap; }
ul.plain { padding-left: 20px; margin: 6px 0; }
footer { margin-top: 28px; border-top: 1px solid var(--line); padding-top: 8px; }
footer p { margin: 4px 0; }
@media screen and (max-width: 600px) {
  body { padding: 16px 14px; }
  header { align-items: flex-start; flex-direction: column-reverse; gap: 10px; }
  figure .wide { display: none; }
  figure .narrow { display: block; }
  th, td { padding-right: 8px; }
  table.figures td.number, table.figures th.number { padding-left: 4px; white-space: normal; }
  .scroll table { min-width: 560px; }
  table.figures th:first-child { width: 46%; }
}
@page { size: A4; margin: 14mm 15mm 16mm; }
@media print {
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  html { font-size: 10.5pt; }
  body { max-width: none; padding: 0; }
  h2, h3, caption { break-after: avoid; }
  figure, tr, li, .notice { break-inside: avoid; }
  section.whole { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  body { overflow-wrap: anywhere; }
}
`;
}

// Data inside HTML: JSON that no text in it can end, whatever the text is.

/** `<`, `>` and `&` are written as JSON escapes: what a browser's parser looks for does not stand there. */
export function dataScript(value: unknown, attributes: Readonly<Record<string, string>>): string {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, escaped);
  const given = Object.entries(attributes).map(([name, text]) => ` ${name}="${attributeText(text)}"`);
  return `<script type="application/json"${given.join('')}>${json}</script>`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** For an attribute in double quotes, and for text. */
export function attributeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// Messages in the form that Slack, Mattermost and Rocket.Chat take.

const mostLines = 30;

/** A message that nobody can read is no message: what is too much is counted. */
export function firstLines(
  all: readonly string[],
  more = (hidden: number) => `… and ${hidden} more`,
): readonly string[] {
  return all.length <= mostLines ? all : [...all.slice(0, mostLines), more(all.length - mostLines)];
}

/** The three characters that Slack takes for markup are text. */
export function slackBody(lines: readonly string[]): { readonly text: string } {
  const escaped = lines.map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  return { text: escaped.join('\n') };
}

// airank note: what people write down, beside what the API tells.

import { addNote, listNotes, type Note, readClientNames, removeNote } from '../../alerts/store/notes.ts';
import { flawOf } from '../../config/setting-kinds.ts';
import { ConfigError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import { defineCommand } from '../define-command.ts';
import { dateFlag, idOf } from '../flags.ts';
import { table } from '../print/table.ts';
import { chooseAccount, chooseClient } from '../selection.ts';
import { show } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';

const longestText = 500;

const addCommand = defineCommand({
  about: 'add a note to a client; without --client, to the account itself',
  args: [['<text>', `what happened, in at most ${longestText} characters`]],
  flags: {
    '--client <id>': 'identifier or name of the client',
    '--account <name>': 'account, where there are several',
    '--date <date>': 'YYYY-MM-DD (default: today in AIRANK_TIMEZONE)',
    ...demoFlag,
  },
  help: '\nExamples:\n  $ airank note add --client 7 --date 2026-04-03 "New site went live"\n  $ airank note add "We moved to another agency"',
  async run({ terminal, flags }, text) {
    const faults = textFaults(text);
    dateFlag('--date', flags.date, faults);
    if (faults.length > 0) throw new ConfigError(faults);
    const { id, chosen, date } = await useWarehouse(
      terminal,
      flags,
      { schema: 'migrate' },
      async ({ db }, { config }) => {
        const chosen = chooseClient(flags, await readClientNames(db));
        const date = flags.date ?? runDateIn(config.timeZone, new Date());
        return { id: await addNote(db, { ...chosen, date, text: text.trim() }), chosen, date };
      },
    );
    const whose = chosen.clientId === '' ? `account ${chosen.account}` : `client ${chosen.clientId}`;
    show(terminal, `Added note ${id} to ${whose} on ${date}`);
  },
});

const listCommand = defineCommand({
  about: 'list the notes, the newest first',
  flags: {
    '--account <name>': 'only of this account',
    '--json': 'print the notes as JSON on stdout',
    ...demoFlag,
  },
  help: '\nExamples:\n  $ airank note list\n  $ airank note list --json | jq ".[].text"',
  async run({ terminal, flags, print, width }) {
    const notes = await useWarehouse(terminal, flags, { orDemo: true }, async ({ db }) => {
      const { account } = flags;
      return await listNotes(
        db,
        account === undefined ? undefined : chooseAccount(account, await readClientNames(db)),
      );
    });
    print(notes.map(noteJson), noteLines(notes, width));
  },
});

const removeCommand = defineCommand({
  about: 'remove a note',
  args: [['<id>', 'number of the note, as airank note list shows it']],
  flags: { ...demoFlag },
  help: '\nExample:\n  $ airank note remove 12',
  async run({ terminal, flags }, text) {
    const id = idOf('<id>', text);
    const removed = await useWarehouse(terminal, flags, { schema: 'migrate' }, ({ db }) =>
      removeNote(db, id),
    );
    if (!removed)
      throw new ConfigError([
        `Expected <id> to be the number of a note, got "${text}". airank note list shows them`,
      ]);
    show(terminal, `Removed note ${id}`);
  },
});

export const command = defineCommand({
  about: 'write down what happened on a day: a marker on every chart',
  help: `
Examples:
  $ airank note add --client 7 --date 2026-04-03 "New site went live"
  $ airank note list --json
  $ airank note remove 12`,
  commands: { add: addCommand, list: listCommand, remove: removeCommand },
});

function textFaults(text: string): string[] {
  const place = 'the text of the note';
  if (text.trim() === '') return [`Expected ${place} to be 1 to ${longestText} characters, got nothing`];
  const flaw = flawOf(text);
  if (flaw !== undefined) return [`Expected ${place} to be ${flaw.expected}. ${flaw.fix}`];
  const { length } = [...text.trim()];
  return length <= longestText
    ? []
    : [`Expected ${place} to have at most ${longestText} characters, got ${length}`];
}

function noteJson({ id, account, clientId, date, text }: Note) {
  return { id, account, client_id: clientId, note_date: date, text };
}

function noteLines(notes: readonly Note[], width: number): string[] {
  if (notes.length === 0) return ['There are no notes yet. Add one: airank note add "New site went live"'];
  const rows = notes.map(({ id, account, clientId, date, text }) => [
    String(id),
    date,
    account,
    clientId,
    // One line each, whatever was pasted.
    text.replace(/\s+/g, ' '),
  ]);
  return table([['note', 'date', 'account', 'client', 'text'], ...rows], {
    width,
    wraps: ['text'],
    yields: ['account'],
  });
}

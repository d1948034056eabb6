// Whether people were told of what a rule says, or would be, and why not. Pure.
import type { Judgement } from './rule.ts';

export interface StoredAlert {
  readonly id: number;
  readonly subject: string;
  readonly date: string;
  readonly endedOn: string | undefined;
  readonly lasts: boolean;
  readonly isSilent: boolean;
  readonly isMuted: boolean;
  readonly toldOn: string | undefined;
}

export interface TellingFacts {
  readonly isOn: boolean;
  /** Date of the data that are judged. */
  readonly judgedOn: string;
  /** Undefined: the rule has not looked at this client yet. */
  readonly beganOn: string | undefined;
  readonly stored: readonly StoredAlert[];
  readonly isMuted: boolean;
  readonly hasChannels: boolean;
}

/** In one sentence, of a judgement that holds. */
export function tellingOf(
  { subject, date }: Pick<Judgement, 'subject' | 'date'>,
  { isOn, judgedOn, beganOn, stored, isMuted, hasChannels }: TellingFacts,
): string {
  const ofSubject = stored.filter((one) => one.subject === subject && one.date <= date);
  const known =
    ofSubject.find((one) => one.date === date) ??
    ofSubject.find((one) => one.lasts && (one.endedOn === undefined || one.endedOn > date));
  if (known !== undefined && !known.isSilent) return becameOf(known, date);
  if (!isOn) return 'not told: the rule is off in alerts.rules of the configuration';
  if (beganOn === undefined) {
    return 'not told: the rule has not looked at this client yet, and tells of nothing from before its first look';
  }
  if (known !== undefined) return `not told: it was so when the rule began, on ${beganOn}`;
  if (judgedOn <= beganOn) return `not told: the rule began on ${beganOn}, and tells only of what came after`;
  if (isMuted) return 'would not be told: the rule is muted';
  return hasChannels
    ? 'would be told by the next airank alerts check'
    : 'would be listed by airank alerts, and told to nobody: alerts.to names no channel';
}

/** What became of an alert, for somebody who asks about a date. */
export function becameOf({ id, date: since, toldOn, isMuted }: StoredAlert, date: string): string {
  const which = since === date ? `alert ${id}` : `nothing new, alert ${id} of ${since} lasts`;
  if (toldOn !== undefined) return `${which}: told on ${toldOn}`;
  return isMuted ? `${which}: not told, the rule was muted` : `${which}: listed, and told to nobody yet`;
}

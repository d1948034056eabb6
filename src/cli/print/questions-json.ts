// What airank push questions --json prints. Holds no question.

import type { PushedQuestions } from '../../writes/push/pushed-questions.ts';
import type { OpenQuestionWrite } from '../../writes/store/question-writes.ts';
import type { DryQuestions, GivenQuestions } from './print-questions.ts';

export function questionsJson(
  account: string,
  { files, sorted, taken }: GivenQuestions,
  pushed: PushedQuestions | DryQuestions,
) {
  return {
    account,
    files: files.map(({ name, format, column, questions }) => ({
      name,
      format,
      column: column ?? null,
      questions: questions.length,
    })),
    taken: taken.taken,
    left_out: {
      repeated: sorted.repeated,
      sent_before: taken.sent,
      waiting_already: taken.waits,
      not_settled: taken.unsettled,
    },
    refused: sorted.refused,
    personal_data: sorted.personal,
    ...('open' in pushed ? pushedJson(pushed) : dryJson(pushed)),
  };
}

function dryJson({ waiting, today }: DryQuestions) {
  return { dry_run: true, waiting, room_today: today };
}

function pushedJson({ end, open, ...pushed }: PushedQuestions) {
  return {
    dry_run: false,
    accepted: { questions: pushed.acceptedQuestions, requests: pushed.acceptedRequests },
    requests: pushed.requests,
    skipped_requests: pushed.skippedRequests,
    waiting: pushed.waiting,
    end: end.kind,
    waits_until: end.kind === 'deferred' ? end.until.toISOString() : null,
    open: open.map(openJson),
  };
}

function openJson({ id, status, httpStatus, answer, sentAt, texts }: OpenQuestionWrite) {
  return {
    write_id: id,
    status,
    questions: texts.length,
    http_status: httpStatus ?? null,
    answer: answer ?? null,
    sent_at: sentAt?.toISOString() ?? null,
  };
}

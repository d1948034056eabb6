// A request to one of the three POST routes, its body read.

export const writeRoutes = ['airank/run', 'crawl-logs', 'bgpi/observe'] as const;
export type WriteRoute = (typeof writeRoutes)[number];

export interface WriteRequest {
  readonly contentType: string;
  readonly body: string;
  readonly nowMs: number;
}

import { describe, expect, it } from 'vitest';
import { findFormat } from '../../../src/writes/logs/find-format.ts';

const at = '2026-11-15T08:00:00Z';
const agent = 'GPTBot/1.2';

describe('logs of services that stand before a site', () => {
  it.each([
    [
      'Akamai',
      {
        requestTime: at,
        clientIP: '203.0.113.9',
        requestMethod: 'GET',
        requestPath: '/a',
        responseStatus: 200,
        userAgent: agent,
      },
    ],
    [
      'Azure',
      {
        Time: at,
        ClientIp: '203.0.113.9',
        HttpMethod: 'GET',
        RequestUri: 'https://shop.example/a',
        HttpStatusCode: 200,
        UserAgent: agent,
      },
    ],
    [
      'Google Cloud',
      {
        timestamp: at,
        httpRequest: {
          remoteIp: '203.0.113.9',
          requestMethod: 'GET',
          requestUrl: 'https://shop.example/a',
          status: 200,
          userAgent: agent,
        },
      },
    ],
  ])('are read by their names as JSON: %s', (_, line) => {
    const text = JSON.stringify(line);
    const format = findFormat([text]);
    expect(format.name).toBe('json');
    expect(format.reader().read(text)).toMatchObject({
      kind: 'event',
      event: {
        at: new Date(at),
        ip: '203.0.113.9',
        method: 'GET',
        path: '/a',
        status: 200,
        userAgent: agent,
      },
    });
  });

  it.each([
    ['Azure', 'Time,ClientIp,HttpMethod,RequestUri,HttpStatusCode,UserAgent'],
    [
      'Cloudflare',
      'EdgeStartTimestamp,ClientIP,ClientRequestMethod,ClientRequestURI,EdgeResponseStatus,ClientRequestUserAgent',
    ],
  ])('are read by their names as CSV: %s', (_, header) => {
    const line = `${at},203.0.113.9,GET,/a,200,${agent}`;
    const format = findFormat([header, line]);
    const reader = format.reader();
    reader.read(header);
    expect(reader.read(line)).toMatchObject({
      kind: 'event',
      event: { path: '/a', status: 200, userAgent: agent },
    });
  });
});

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/**
 * Hands the SDK's answer to Fastify, so that the headers and hooks of the listener apply to it.
 * An event stream is passed on as it comes; closing the connection cancels it.
 */
const PASSED_ON = ['content-type', 'cache-control', 'x-accel-buffering', 'allow', 'www-authenticate'];

export async function sendAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  reply.code(answer.status);
  for (const name of PASSED_ON) {
    const value = answer.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  if (answer.body === null) return reply.send();
  if (answer.headers.get('content-type')?.startsWith('text/event-stream'))
    return reply.send(Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]));
  return reply.send(await answer.text());
}

import { type JsonObject, ToolError } from '../../kit/index.ts';

/** Refusals that several of this server's tools give, each with the same words. */
export const unknownTerminal = (serial: string): ToolError =>
  new ToolError('NOT_FOUND', { message: 'No terminal has this serial number.', details: { serial_number: serial } });

export const decommissioned = (serial: string): ToolError =>
  new ToolError('CONFLICT', {
    message: 'The terminal is decommissioned.',
    details: { reason: 'decommissioned', serial_number: serial, status: 'decommissioned' },
  });

export const conflict = (reason: string, message: string, details: JsonObject = {}): ToolError =>
  new ToolError('CONFLICT', { message, details: { reason, ...details } });

import { indexFile } from '../html/page-state.ts';
import { monitorPages } from '../monitor-page.ts';

/** Renders the first page of a report. */
export function monitorPage(...report: Parameters<typeof monitorPages>): string {
  return monitorPages(...report)[indexFile] ?? '';
}

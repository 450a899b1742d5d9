/** Lists the messages that never came and that no later message of their alert replaced. */
export function listLost(wanted: readonly unknown[], cameIn: ReadonlySet<unknown>): unknown[] {
  return wanted.filter((id, at) => {
    const isReplaced = wanted
      .slice(at + 1)
      .some((other) => nameAlert(other) === nameAlert(id) && cameIn.has(other));
    return !cameIn.has(id) && !isReplaced;
  });
}

/** Names the alert of a message: its target and source. */
function nameAlert(id: unknown): string {
  return String(id).split('/').slice(0, 3).join('/');
}

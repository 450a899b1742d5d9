/** A command that has ended: its exit code, and all that it printed. */
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/**
 * Returns the environment of a plain shell, without anything of the pipeline that runs the tests; lines are wide, so
 * that a test finds a sentence in one.
 */
export function environment(changes: Record<string, string>): NodeJS.ProcessEnv {
  const {
    CI: _ci,
    CANDLEPROOF_API_KEY: _key,
    CANDLEPROOF_TARGET: _target,
    CANDLEPROOF_DATABASE_URL: _database,
    FORCE_COLOR: _color,
    GITHUB_ACTIONS: _actions,
    GITHUB_WORKSPACE: _workspace,
    CI_PROJECT_DIR: _project,
    GITHUB_STEP_SUMMARY: _summary,
    CANDLEPROOF_COMMAND: _command,
    ...rest
  } = process.env;
  return { ...rest, NO_COLOR: '1', COLUMNS: '10000', LOG_LEVEL: 'warn', ...changes };
}

/** Does work as on a host in another time zone. */
export async function runInZone<T>(zone: string, work: () => T | Promise<T>): Promise<T> {
  const { TZ: before } = process.env;
  process.env.TZ = zone;
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
}

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { called } from '@candleproof/command/called';
import { expect, test } from '@playwright/test';

const inBash = process.platform === 'win32' ? 'there is no bash here' : undefined;

/** Returns what bash offers after the words of a command line. */
async function complete(...words: string[]): Promise<string[]> {
  const file = test.info().outputPath('completion.bash');
  writeFileSync(file, (await called(['completion', 'bash'])).stdout);
  const line = ['candleproof', ...words].map((word) => `'${word}'`).join(' ');
  const script = `. "$1"; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _candleproof; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = spawnSync('bash', ['-c', script, 'bash', file], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean);
}

test('bash completes commands, their commands and their flags', async () => {
  test.skip(inBash !== undefined, inBash);
  expect(await complete('re')).toEqual(['replay', 'rehearse', 'report']);
  expect(await complete('serve', 'keys', '')).toEqual(expect.arrayContaining(['issue', 'list', 'revoke']));
  expect(await complete('serve', 'keys', 'issue', '--l')).toEqual(['--limit', '--label']);
  expect(await complete('check', 'testnet', '--wa')).toEqual(['--wait']);
});

test('every shell gets a script, and another one is refused', async () => {
  const zsh = (await called(['completion', 'zsh'])).stdout;
  expect(zsh).toMatch(/^autoload -U \+X bashcompinit && bashcompinit\n_candleproof\(\)/);
  const fish = (await called(['completion', 'fish'])).stdout;
  expect(fish).toMatch(/^complete -c candleproof -f -n '__fish_use_subcommand' -a check -d '/m);
  expect(fish).toMatch(/^complete -c candleproof -n '__fish_seen_subcommand_from check' -l wait -r -d '/m);
  expect(await called(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
});

import { expect, test } from '@playwright/test';
import { environmentSecrets, redactCommand } from './redact-command.ts';

const secret = 'hunter2hunter2';

for (const words of [
  ['https://me:SECRET@a.example/x'],
  ['https://a.example/x?api_key=SECRET&b=1'],
  ['https://a.example/x?access_token=SECRET'],
  ['postgres://me:SECRET@db/x'],
  ['-u', 'me:SECRET'],
  ['-ume:SECRET'],
  ['--user', 'me:SECRET'],
  ['--user=me:SECRET'],
  ['--proxy-user', 'me:SECRET'],
  ['-p', 'SECRET'],
  ['-pSECRET'],
  ['-P', 'SECRET'],
  ['sh', '-c', 'client -p SECRET -P SECRET -pSECRET'],
  ['--pass', 'SECRET'],
  ['--pass=SECRET'],
  ['--password', 'SECRET'],
  ['--db-password=SECRET'],
  ['--token', 'SECRET'],
  ['--bearer', 'SECRET'],
  ['--oauth2-bearer', 'SECRET'],
  ['--secret', 'SECRET'],
  ['--client-secret=SECRET'],
  ['--credentials', 'SECRET'],
  ['API_KEY=SECRET'],
  ['DB_PASSWD=SECRET'],
  ['-H', 'Authorization: Bearer SECRET'],
  ['-H', 'X-Api-Key:SECRET'],
  ['-H', 'Cookie: session=SECRET'],
  ['-b', 'session=SECRET'],
  ['sh', '-c', "curl -u me:SECRET -H 'X-Api-Key: SECRET' https://a.example/?token=SECRET"],
  ['sh', '-c', 'PASSWORD=SECRET client --token SECRET'],
  ['sh', '-c', 'curl -H "Authorization: Bearer SECRET" x'],
]) {
  test(`a secret is redacted: ${words.join(' ')}`, () => {
    const command = words.map((word) => word.replaceAll('SECRET', secret));
    const { command: shown } = redactCommand(command);
    expect(shown.join(' ')).not.toContain(secret);
    expect(shown.join(' ')).toContain('[redacted');
  });
}

test('an ordinary command is not changed', () => {
  const command = [
    ...[
      'python3',
      '-m',
      'client',
      '--pools',
      '1,2',
      '--keyless',
      '-x',
      '-p',
      '8080',
      '-p8080',
      '-p',
      '80:80',
      '--author=me',
    ],
    ...[
      'https://a.example/tokens?from=1760918400&interval=HOUR',
      'C:\\client.exe',
      'sh',
      '-c',
      'node client.mjs && echo ok',
    ],
  ];
  expect(redactCommand(command)).toEqual({ command, secrets: [] });
});

test('a password that a client may print alone is among the secrets', () => {
  for (const words of [
    ['-u', `me:${secret}`],
    [`--user=me:${secret}`],
    [`postgres://me:${secret}@db/x`],
    ['-p', secret],
    [`-p${secret}`],
    ['sh', '-c', `client -u me:${secret}`],
    ['sh', '-c', `client postgres://me:${secret}@db/x`],
  ])
    expect(redactCommand(words).secrets, words.join(' ')).toContain(secret);
  expect(environmentSecrets({ DATABASE_URL: `postgres://me:${secret}@db/x`, HOME: '/home/me' })).toContain(
    secret,
  );
});

test('values of environment variables with secret names are found', () => {
  const env = {
    AWS_SECRET_ACCESS_KEY: 'a',
    GITHUB_TOKEN: 'b',
    SMTP_PASS: 'c',
    HOME: 'd',
    PATH: 'e',
    PWD: 'f',
    OLDPWD: 'g',
  };
  expect(environmentSecrets(env)).toEqual(['a', 'b', 'c']);
});

// Fails before it sends anything.
process.stderr.write('no configuration found\nat line 1\n');
process.stdout.write(`${process.env.CANDLEPROOF_API_KEY}\n`);
process.exit(9);

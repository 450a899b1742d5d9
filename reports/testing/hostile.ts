/** Answers of a hostile target that aim at the reader: markup, links, terminal escapes, broken text. */
export const hostile = {
  script: '</script><script>document.title="owned"</script>',
  attribute: '"><img src="http://127.0.0.1:9/beacon" onerror="document.title=\'owned\'">',
  cdata: ']]> <![CDATA[',
  comment: '<!--',
  ansi: '\u001b[2J\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007\u009b31m',
  markdown:
    'a|b `code` @someone #12 [x](http://evil.example) ![y](http://evil.example/p.png) **bold**\n| new | row |',
  separators: 'one\u2028two\u2029three',
  surrogates: 'lone \ud800 and \udfff',
  bidi: 'abc\u202egnp.exe',
} as const;

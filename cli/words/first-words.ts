/** For anyone who calls the command without a word: what it is, and the three commands that matter. */
export const firstWords = `Candleproof checks a market-data API against its document, and is one itself.

  npx candleproof check local             judge the reference service: what a run looks like, no key, no network
  npx candleproof init https://YOUR-HOST --pools-v1 1 --pools-v2 1
                                          ask your API at most 6 requests, write candleproof.yaml; then: check NAME
  npx candleproof judge traffic.har --out report
                                          judge traffic that you have recorded; sends nothing

The key comes from CANDLEPROOF_API_KEY or a file, never from a flag. All commands: npx candleproof --help
`;

/** Paper: light, with what is folded on the screen, nothing skipped, nothing torn from its heading. */
export const printStyles = `
@media print {
  @page { size: A4; margin: 14mm 14mm 16mm; @bottom-right { content: counter(page) ' / ' counter(pages); font: 8pt system-ui, sans-serif; color: #56606a; } }
  :root { font-size: 10pt; } body { max-width: none; padding: 0; background: #fff; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .open-reasons, .bug-report, #exchanges, .chapter > summary::before { display: none; } summary { list-style: none; } summary::marker { content: ''; }
  details::details-content { display: block; content-visibility: visible; block-size: auto; } details:not([open]) > :not(summary) { display: block; } details:not([open]) > table { display: table; }
  .many > .finding, .batch { content-visibility: visible; }
  h2, h3, summary, thead, .tags, .lead, .finding > .why, .finding > .versus, .example > .where { break-after: avoid; } .replay, tbody > tr:first-child, .observation:first-child { break-before: avoid; }
  .banner { padding: .5rem .8rem; } h1 { font-size: 1.7rem; } .tiles { gap: .5rem; grid-template-columns: repeat(3, 1fr); } .tile { padding: .4rem .6rem; } .large { font-size: 1.2rem; } .causes table, .causes th[scope=rowgroup] { font-size: .85rem; } .causes th, .causes td { padding: .1rem .5rem; } .causes .cost { width: 9rem; } .causes col.extent { width: 12rem; }
  h2, h3, figure, .versus, tr, .tile, .banner, .observation, .lead, .facts, .meanings, .replay { break-inside: avoid; } p { orphans: 3; widows: 3; }
  main > section { margin-top: 1.6rem; } figure svg { flex-basis: 50%; max-width: 110mm; }
}
`;

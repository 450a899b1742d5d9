/** Chapters that fold, and their tables; on a narrow screen each row becomes a stack. */
export const tableStyles = `
.batch { content-visibility: auto; contain-intrinsic-size: auto 400rem; }
.chapter { margin-top: .6rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.chapter > summary { display: flex; align-items: center; gap: .2rem .9rem; padding: .6rem .9rem; list-style: none; }
.chapter > summary::-webkit-details-marker { display: none; }
.chapter > summary::before { content: ''; flex: none; width: .45rem; height: .45rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(-45deg); }
.chapter[open] > summary::before { transform: rotate(45deg); }
.strip { flex: 1; display: flex; flex-wrap: wrap; gap: .15rem; font-size: .8rem; } .score { white-space: nowrap; font-size: .9rem; }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem; border-top: 1px solid var(--line); }
th { font-size: .8rem; color: var(--soft); } .number { text-align: right; }
th.outcome { width: 9.5rem; } th.number, th.level { width: 5.5rem; } td.level { font-size: .9rem; font-weight: 600; color: var(--soft); }
.id { display: block; color: var(--soft); } .id a { margin-left: .6em; font: 1.05em system-ui, 'DejaVu Sans', sans-serif; }
td a { white-space: nowrap; } .reason { font-size: .9rem; } .got { display: block; font-weight: 400; color: var(--fail); } .got::before { content: 'actual '; color: var(--soft); }

.kills th { width: 38%; } .kills th:last-child { width: 24%; } .kills .witness { display: grid; grid-template-columns: 4.2rem 1fr; } .witness span { font-size: .85rem; font-weight: 600; color: var(--soft); } .kills summary { font-size: .9rem; color: var(--soft); }
.lead + table { margin-top: .8rem; }
.unfound { font-weight: 600; } tr:target { background: var(--warn-wash); }

@media (max-width: 34rem) {
  .chapter > summary { flex-wrap: wrap; } .chapter h3 { flex: 1 0 calc(100% - 1.6rem); } .strip { padding-left: 1.35rem; }
  thead { position: absolute; clip-path: inset(50%); } tr { display: flex; flex-wrap: wrap; gap: 0 .9rem; border-top: 1px solid var(--line); padding: .45rem .9rem; }
  td { border: 0; padding: 0; } td.number { margin-left: auto; } td.number::before { content: 'judged '; color: var(--soft); }
  td.wide { flex-basis: 100%; order: 1; } td.wide + td.wide { margin-top: .2rem; }
}
`;

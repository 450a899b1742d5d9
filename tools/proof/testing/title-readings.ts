/**
 * Faults of which the first line of a report names the part or the defect alone, or one too narrow. Each title was read beside what
 * its fault does, and is read again when it changes; all others name both.
 */
export const halfRight: readonly string[] = [
  ...['F19', 'F46', 'F47', 'F49', 'F52', 'F60', 'F64', 'F86b', 'F104', 'F106'],
  ...['F117', 'F127', 'F132', 'F135', 'F146', 'F180', 'F185', 'F194', 'F195'],
];

/** Faults of which the first line names another part or defect. */
export const wrongTitles: readonly string[] = ['F39'];

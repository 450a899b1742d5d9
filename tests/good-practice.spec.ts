import { testSection } from './support/section.ts';

testSection('');

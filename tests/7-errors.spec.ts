import { testSection } from './support/section.ts';

testSection('7');

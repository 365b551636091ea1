import type { Inputs } from '../visible-inputs.ts'

/** The differential test requests this door's content like this. */
export const koreaderInputs: Readonly<Record<string, Inputs | 'shows no content'>> = {
  // Each book of that world is known to KOReader by its id.
  'GET /koreader/syncs/progress/{document}': { of: 'book' },
  'GET /koreader/webdav/{path}': 'shows no content',
}

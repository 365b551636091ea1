import type { Draft } from './draft.ts'

/** What every part of the form takes. */
export interface PartProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

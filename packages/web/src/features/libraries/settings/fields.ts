import type { Draft } from './draft.ts'

export interface PartProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

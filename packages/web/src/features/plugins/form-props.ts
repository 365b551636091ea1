import type { PluginDto } from '@carrel/api'
import type { Draft } from './draft.ts'

export interface PartProps {
  readonly plugin: PluginDto
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}

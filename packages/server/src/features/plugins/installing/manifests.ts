import type { PluginManifest } from '@carrel/plugin-sdk/protocol'
import type { PluginRow } from '../queries.ts'

/** Undefined: it has never been started. */
export const manifestOf = ({ manifest }: Pick<PluginRow, 'manifest'>): PluginManifest | undefined =>
  // It was checked before it was written.
  manifest === null ? undefined : (JSON.parse(manifest) as PluginManifest)

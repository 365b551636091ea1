import { isAble, type PluginManifest } from '@carrel/plugin-sdk/protocol'
import { manifestOf } from '../plugins/plugins.ts'
import type { OfferedRow } from './queries.ts'

/** What a user's token is called among what a plugin is given. */
const tokenKey = 'access_token'

/** So far plugins do nothing else for single users. */
export const recommendingManifest = (row: OfferedRow): PluginManifest | undefined => {
  const manifest = manifestOf(row)
  return manifest && isAble(manifest.capabilities, 'recommendations') ? manifest : undefined
}

const tokenField = ({ requiredCredentials }: PluginManifest) =>
  (requiredCredentials ?? []).find(({ key }) => key === tokenKey)

export const takesToken = (manifest: PluginManifest): boolean =>
  manifest.oauth != null || tokenField(manifest) !== undefined

/** It works with an account elsewhere. */
export const needsAccount = (manifest: PluginManifest): boolean =>
  manifest.oauth != null || tokenField(manifest)?.required === true

/** With an account of the user's own, or with one that the administrator has given it for everybody. */
export const isConnected = ({ kind, problem, credentials }: OfferedRow, manifest: PluginManifest): boolean =>
  kind === null ? !needsAccount(manifest) || credentials !== null : problem === null

/** One that is not connected any more is on still: its user is to see why it does nothing. */
export const isOn = (row: OfferedRow, manifest: PluginManifest): boolean =>
  row.wanted !== 0 && (row.kind !== null || isConnected(row, manifest))

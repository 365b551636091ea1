import { isAble, type PluginManifest } from '@carrel/plugin-sdk/protocol'
import { isSwitchedOn, manifestOf } from '../plugins/plugins.ts'
import type { OfferedRow } from './queries.ts'

/** A plugin gets a user's token under this name. */
const tokenKey = 'access_token'

/** Plugins do nothing else for single users so far. */
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

/** The account is the user's own, or one that the administrator has given the plugin for everybody. */
export const isConnected = ({ kind, problem, credentials }: OfferedRow, manifest: PluginManifest): boolean =>
  kind === null ? !needsAccount(manifest) || credentials !== null : problem === null

/** One that is not connected any more is on still: its user is to see why it does nothing. */
export const isOn = (row: OfferedRow, manifest: PluginManifest): boolean =>
  isSwitchedOn(row) && (row.kind !== null || isConnected(row, manifest))

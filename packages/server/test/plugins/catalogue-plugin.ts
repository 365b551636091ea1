import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { CreatePluginRequest, PluginDto } from '@carrel/api'
import type { Household } from './with-plugins.ts'

/** It is an entry of the catalogue of the tests, with all that its answers may hold. */
interface CatalogueEntry {
  readonly externalId: string
  readonly title: string
  readonly confidence?: number
  readonly [field: string]: unknown
}

interface Catalogue {
  readonly entries: readonly CatalogueEntry[]
  readonly permissions?: string[]
  /** The plugin refuses this many questions at first. */
  readonly tooOften?: number
  /** After this many answers it is rate limited for a minute. */
  readonly perTurn?: number
}

/** It sets up a plugin that knows these entries, started once so that it has announced its capabilities. */
export const setUpCatalogue = async (
  house: Household,
  { entries, permissions = ['metadata:write:*'], tooOften = 0, perTurn = 0 }: Catalogue,
  more: Partial<CreatePluginRequest> = {},
): Promise<PluginDto> => {
  const { dataDir } = house.server.context.config
  await cp(join(import.meta.dirname, 'catalogue'), join(dataDir, 'plugins', 'catalogue'), { recursive: true })
  const plugin = await house.setUp('catalogue', {
    args: ['catalogue/catalogue.mjs'],
    config: { entries, tooOften, perTurn },
    permissions,
    rateLimitRequestsPerMinute: null,
    ...more,
  })
  await house.ask(plugin.id)
  for (;;) {
    const now = await house.read(plugin.id)
    if (now.manifest !== null) return now
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

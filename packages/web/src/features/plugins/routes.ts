import {
  listLibraries,
  listPluginPackages,
  listPlugins,
  readMe,
  readPlugin,
  readPluginFailures,
  readPluginLog,
  readPluginMetrics,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, readAnew } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber, word } from '../../navigation/search-params.ts'
import { everyLibrary, failuresInput, logInput } from './inputs.ts'

// No event announces what plugins do, only changes of them: it is read again whenever somebody opens the page.

export const plugins = createRoute({
  getParentRoute: () => administered,
  path: '/admin/plugins',
  loader: () => Promise.all([readAnew(listPlugins, {}), readAnew(listPluginPackages, {})]),
  component: page(() => import('./plugins-page.tsx'), 'PluginsPage', ['plugins']),
})

interface NewPluginSearch {
  /** The installed package to begin with. */
  readonly package?: string | undefined
}

export const newPlugin = createRoute({
  getParentRoute: () => administered,
  path: '/admin/plugins/new',
  validateSearch: ({ package: name }: Record<string, unknown>): NewPluginSearch => ({
    package: word(name)?.slice(0, 214),
  }),
  loader: () => readAnew(listPluginPackages, {}),
  component: page(() => import('./new-plugin-page.tsx'), 'NewPluginPage', ['plugins']),
})

interface PluginSearch {
  /** It is a page of the list of failures. */
  readonly page?: number | undefined
}

export const plugin = createRoute({
  getParentRoute: () => administered,
  path: '/admin/plugins/$pluginId',
  validateSearch: ({ page: number }: Record<string, unknown>): PluginSearch => ({
    page: wholeNumber(number, 1, 100_000),
  }),
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: ({ params: { pluginId: id }, deps: { number } }) =>
    Promise.all([
      readAnew(readPlugin, { params: { id } }),
      readAnew(readPluginFailures, failuresInput(id, number)),
      readAnew(readPluginLog, logInput(id, undefined)),
      readAnew(readPluginMetrics, {}),
    ]),
  component: page(() => import('./plugin-page.tsx'), 'PluginPage', ['plugins']),
})

export const pluginSettings = createRoute({
  getParentRoute: () => administered,
  path: '/admin/plugins/$pluginId/settings',
  loader: async ({ params: { pluginId: id } }) => {
    const { permissions } = await ensure(readMe, {})
    await Promise.all([
      readAnew(readPlugin, { params: { id } }),
      ...(permissions.includes('libraries:read') ? [ensure(listLibraries, everyLibrary)] : []),
    ])
  },
  component: page(() => import('./settings-page.tsx'), 'PluginSettingsPage', ['plugins']),
})

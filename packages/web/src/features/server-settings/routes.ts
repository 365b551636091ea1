import { listSettings } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { word } from '../../navigation/search-params.ts'

interface SettingsSearch {
  readonly q?: string | undefined
  /** The setting whose history is open. */
  readonly history?: string | undefined
}

export const serverSettings = createRoute({
  getParentRoute: () => administered,
  path: '/admin/settings',
  validateSearch: ({ q, history }: Record<string, unknown>): SettingsSearch => ({
    q: word(q)?.slice(0, 100),
    history: word(history)?.slice(0, 100),
  }),
  loader: () => ensure(listSettings, {}),
  component: page(() => import('./settings-page.tsx'), 'SettingsPage', ['server-settings']),
})

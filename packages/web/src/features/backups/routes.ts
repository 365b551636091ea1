import { listBackups, listSettings, listTasks, readMe, readServerStatus } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber } from '../../navigation/search-params.ts'
import { latestInput, settingsInput } from './inputs.ts'

interface BackupsSearch {
  readonly page?: number | undefined
}

export const backups = createRoute({
  getParentRoute: () => administered,
  path: '/admin/backups',
  validateSearch: ({ page: number }: Record<string, unknown>): BackupsSearch => ({
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search: { page: number = 1 } }) => ({ number }),
  loader: async ({ deps: { number } }) => {
    const { permissions } = await ensure(readMe, {})
    await Promise.all([
      ensure(listBackups, { query: { page: number } }),
      ensure(readServerStatus, {}),
      ...(permissions.includes('settings:read') ? [ensure(listSettings, settingsInput)] : []),
      ...(permissions.includes('tasks:read') ? [ensure(listTasks, latestInput)] : []),
    ])
  },
  component: page(() => import('./backups-page.tsx'), 'BackupsPage', ['backups']),
})

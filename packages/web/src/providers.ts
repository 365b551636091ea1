import { listPluginActions, type PluginAction } from '@carrel/api'
import { useLater } from './api/queries.ts'
import { useMay } from './me.ts'

/** The plugins that know metadata of what is in a library; none for those who may not ask them. */
export const useProviders = (kind: 'series' | 'book', libraryId: string): readonly PluginAction[] => {
  const mayEdit = useMay(kind === 'series' ? 'series:write' : 'books:write')
  const mayLook = useMay('libraries:read')
  const { data } = useLater(
    listPluginActions,
    { query: { scope: `${kind}:detail`, libraryId } },
    { enabled: mayEdit && mayLook },
  )
  return data?.actions ?? []
}

import { listPluginActions, type PluginAction } from '@carrel/api'
import { useLater } from '../api/queries.ts'
import { useMay } from './me.ts'

interface ProvidersOptions {
  /** Users who may not match anything do not ask for providers. */
  readonly enabled?: boolean
}

/** The plugins that know metadata of what is in a library. */
export const useProviders = (
  kind: 'series' | 'book',
  libraryId: string,
  { enabled = true }: ProvidersOptions = {},
): readonly PluginAction[] => {
  const mayReadLibraries = useMay('libraries:read')
  const query = { scope: `${kind}:detail`, libraryId } as const
  const { data } = useLater(listPluginActions, { query }, { enabled: enabled && mayReadLibraries })
  return data?.actions ?? []
}

import { listUserPlugins, type UserPluginDto } from '@carrel/api'
import { useLater } from './api/queries.ts'

/** What recommends to whoever is signed in. The frame has asked before it is shown. */
export const useRecommenders = (): readonly UserPluginDto[] => {
  const { data } = useLater(listUserPlugins, {})
  return data?.enabled.filter(({ capabilities }) => capabilities.userRecommendationProvider) ?? []
}

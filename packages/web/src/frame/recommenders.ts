import { listUserPlugins, type UserPluginDto } from '@carrel/api'
import { useLater } from '../api/queries.ts'

/** The frame has loaded these plugins before it is shown. */
export const useRecommenders = (): readonly UserPluginDto[] => {
  const { data } = useLater(listUserPlugins, {})
  return data?.enabled.filter(({ capabilities }) => capabilities.userRecommendationProvider) ?? []
}

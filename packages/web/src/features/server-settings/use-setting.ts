import {
  listSettingHistory,
  listSettings,
  readPublicSettings,
  readSetting,
  resetSetting,
  saveSetting,
  type SettingDto,
  type SettingValue,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { useSettingText } from './setting-text.ts'

const invalidates = [listSettings, readSetting, listSettingHistory, readPublicSettings]

/** It changes a setting or resets it to its default; undo reverts either. */
export const useSetting = (setting: SettingDto) => {
  const { t } = useTranslation('server-settings')
  const textOf = useProblemText()
  const words = useSettingText()
  const { key, value: before, updatedAt } = setting
  const save = useChange(saveSetting, { invalidates })
  const reset = useChange(resetSetting, { invalidates })
  const name = words.name(setting)
  const complain = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const putBack = (): void => {
    if (updatedAt === null) reset.mutate({ params: { key } }, { onError: complain })
    else save.mutate({ params: { key }, body: { value: before } }, { onError: complain })
  }
  return {
    isPending: save.isPending || reset.isPending,
    problem: save.error ? textOf(save.error) : undefined,
    forget: (): void => save.reset(),
    save: (value: SettingValue, changeReason: string, onDone: () => void): void => {
      const change = async (): Promise<void> => {
        const ifMatch = await tagOf(setting)
        save.mutate(
          { params: { key }, body: { value, ...(changeReason !== '' && { changeReason }) }, ifMatch },
          {
            onSuccess: () => {
              onDone()
              toast({ text: t('saved', { name, value: words.value(key, value) }), undo: putBack })
            },
          },
        )
      }
      change().catch(complain)
    },
    reset: (): void =>
      reset.mutate(
        { params: { key } },
        { onError: complain, onSuccess: () => toast({ text: t('wasReset', { name }), undo: putBack }) },
      ),
  }
}

/**
 * The list has no ETags: the one of this setting is read, and is used only if the setting is still as it is shown here.
 */
const tagOf = async ({ key, updatedAt, value }: SettingDto): Promise<string | null> => {
  const { body, etag } = await call(readSetting, { params: { key } })
  const isSame = body.updatedAt === updatedAt && JSON.stringify(body.value) === JSON.stringify(value)
  return isSame ? etag : '"changed-meanwhile"'
}

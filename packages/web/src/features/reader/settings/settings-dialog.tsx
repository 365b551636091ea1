import { type BookDetail, type ReaderLevel, readerLevels } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageLayout } from '../../../reader/page-layout.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Stack } from '../../../ui/layout/layout.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { SettingsFields } from './settings-fields.tsx'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'

interface SettingsDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly book: BookDetail
  readonly settings: ReaderSettingsInUse
  readonly layout: PageLayout
  readonly isLaidOut?: boolean
}

/** A choice takes effect at once behind the dialog. The user first chooses the level, then the setting. */
export const SettingsDialog = (props: SettingsDialogProps): ReactNode => {
  const { isOpen, onClose, book, settings, layout, isLaidOut } = props
  const { t } = useTranslation('reader')
  const [level, setLevel] = useState<ReaderLevel>('series')
  const own = settings.levels.find((each) => each.level === level)?.values ?? {}
  const reset = (): void => {
    const before = own
    settings.save(level, Object.fromEntries(Object.keys(own).map((name) => [name, null])))
    toast({ text: t('settings.wasReset'), undo: () => settings.save(level, before) })
  }
  return (
    <Dialog
      title={t('settings.title')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        Object.keys(own).length === 0 ? undefined : (
          <Button variant="default" onClick={reset}>
            {t(`settings.reset.${level}`)}
          </Button>
        )
      }
    >
      <Stack gap={4}>
        <NativeSelect
          label={t('settings.for')}
          description={t(`settings.about.${level}`, { series: book.seriesName, library: book.libraryName })}
          value={level}
          onChange={({ currentTarget }) =>
            setLevel(readerLevels.find((each) => each === currentTarget.value) ?? 'series')
          }
          data={readerLevels.toReversed().map((value) => ({ value, label: t(`settings.level.${value}`) }))}
        />
        <SettingsFields level={level} settings={settings} layout={layout} isLaidOut={isLaidOut} />
      </Stack>
    </Dialog>
  )
}

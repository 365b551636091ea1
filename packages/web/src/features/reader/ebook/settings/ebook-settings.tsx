import { type BookDetail, type ReaderLevel, readerLevels } from '@carrel/api'
import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { Stack } from '../../../../ui/layout/layout.tsx'
import { toast } from '../../../../ui/state/toasts.tsx'
import type { ReaderSettingsInUse } from '../../settings/use-reader-settings.ts'
import { EbookFields } from './ebook-fields.tsx'
import type { EbookAppearance } from './use-ebook-appearance.ts'

interface EbookSettingsProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly book: BookDetail
  readonly settings: ReaderSettingsInUse
  readonly appearance: EbookAppearance
}

/** A choice takes effect at once behind the dialog. The user first chooses the level, then the setting. */
export const EbookSettings = ({ isOpen, onClose, book, settings, appearance }: EbookSettingsProps): ReactNode => {
  const { t } = useTranslation(['ebook', 'reader'])
  const [level, setLevel] = useState<ReaderLevel>('user')
  const own = settings.levels.find((each) => each.level === level)?.values ?? {}
  const reset = (): void => {
    const before = own
    settings.save(level, Object.fromEntries(Object.keys(own).map((name) => [name, null])))
    toast({ text: t('reader:settings.wasReset'), undo: () => settings.save(level, before) })
  }
  return (
    <Dialog
      title={t('settings.title')}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        Object.keys(own).length === 0 ? undefined : (
          <Button variant="default" onClick={reset}>
            {t(`reader:settings.reset.${level}`)}
          </Button>
        )
      }
    >
      <Stack gap={4}>
        <NativeSelect
          label={t('reader:settings.for')}
          description={t(`reader:settings.about.${level}`, { series: book.seriesName, library: book.libraryName })}
          value={level}
          onChange={({ currentTarget }) =>
            setLevel(readerLevels.find((each) => each === currentTarget.value) ?? 'user')
          }
          data={readerLevels.toReversed().map((value) => ({ value, label: t(`reader:settings.level.${value}`) }))}
        />
        <EbookFields level={level} settings={settings} appearance={appearance.text} />
      </Stack>
    </Dialog>
  )
}

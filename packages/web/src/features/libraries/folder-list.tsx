import { Button, CloseButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { FolderChooser } from './folder-chooser.tsx'
import styles from './new-library.module.css'

interface FolderListProps {
  readonly roots: readonly string[]
  readonly onChange: (roots: readonly string[]) => void
}

const rootsMax = 20

/** It lists the folders of a library, and can add another one. */
export const FolderList = ({ roots, onChange }: FolderListProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <Stack as="fieldset" gap={2} className={styles.folders}>
      <legend>{t('folders.title')}</legend>
      {roots.length === 0 ? <Text quiet>{t('folders.none')}</Text> : null}
      <Stack as="ul" gap={1} collapse className={styles.folderList}>
        {roots.map((root) => (
          <Row as="li" key={root} gap={2} box>
            <Icon name="folder" size="small" />
            <span className={styles.path}>{root}</span>
            <CloseButton
              aria-label={t('folders.remove', { folder: root })}
              onClick={() => onChange(roots.filter((each) => each !== root))}
            />
          </Row>
        ))}
      </Stack>
      <div>
        <Button
          variant={roots.length === 0 ? 'filled' : 'default'}
          leftSection={<Icon name="plus" size="small" />}
          disabled={roots.length >= rootsMax}
          onClick={() => setIsChoosing(true)}
        >
          {t('folders.add')}
        </Button>
      </div>
      <FolderChooser
        isOpen={isChoosing}
        onClose={() => setIsChoosing(false)}
        onChoose={(folder) => {
          setIsChoosing(false)
          if (!roots.includes(folder)) onChange([...roots, folder])
        }}
      />
    </Stack>
  )
}

import { folderLevels } from '@carrel/api'
import { Button, CloseButton, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import { Row, Stack, Text } from '../../../ui/layout/layout.tsx'
import styles from './grouping.module.css'
import type { Level } from './grouping.ts'

interface LevelsFieldProps {
  readonly levels: readonly Level[]
  readonly problem: string | undefined
  readonly onChange: (levels: readonly Level[]) => void
}

const levelsMax = 10

/** What each level of folders is, from the top down. */
export const LevelsField = ({ levels, problem, onChange }: LevelsFieldProps): ReactNode => {
  const { t } = useTranslation('libraries')
  const options = folderLevels.map((value) => ({ value, label: t(`levels.is.${value}`) }))
  const next = folderLevels.find((level) => !levels.includes(level)) ?? 'skip'
  return (
    <Stack as="fieldset" gap={2} className={styles.levels}>
      <legend>{t('levels.title')}</legend>
      <Stack as="ol" gap={2}>
        {levels.map((level, index) => (
          // A level is known by how deep it is, and by nothing else.
          <Row as="li" key={index} gap={2}>
            <NativeSelect
              className={styles.level ?? ''}
              aria-label={t('levels.label', { number: index + 1 })}
              value={level}
              data={options}
              onChange={({ currentTarget: { value } }) =>
                onChange(levels.with(index, folderLevels.find((each) => each === value) ?? level))
              }
            />
            <CloseButton
              aria-label={t('levels.remove', { number: index + 1 })}
              disabled={levels.length === 1}
              onClick={() => onChange(levels.toSpliced(index, 1))}
            />
          </Row>
        ))}
      </Stack>
      {problem === undefined ? null : (
        <Text role="alert" size={14} className={styles.problem}>
          {problem}
        </Text>
      )}
      <div>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size="small" />}
          disabled={levels.length >= levelsMax}
          onClick={() => onChange([...levels, next])}
        >
          {t('levels.add')}
        </Button>
      </div>
    </Stack>
  )
}

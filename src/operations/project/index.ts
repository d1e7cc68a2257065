export {
  addProject,
  linkProject,
  listProjectsOperation,
  ProjectRecord,
  type SurveyedProject,
  showProject,
  toProject,
  toSurveyed,
} from './projects.ts';

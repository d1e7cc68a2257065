export { addProject } from './add-project.ts';
export { linkProject } from './link-project.ts';
export { listProjects, type SurveyedProject, toSurveyed } from './list-projects.ts';
export { ProjectRecord, toProject } from './project-record.ts';
export { showProject } from './show-project.ts';

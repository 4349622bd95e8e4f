"""Use private discriminants in scikit-learn: as a classifier that is private to the end, and before an SVM."""

from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from dpgep_core import load_dataset
from dpgep_core.estimators import DPFDA

digits = load_dataset("digits")  # the bounds 0 and 16 and the ten classes are public: its documentation gives them
X, X_test, y, y_test = train_test_split(digits.X, digits.y, random_state=0)

# No random_state: the system's entropy draws the noise, so each run prints other numbers.
private = DPFDA(epsilon=1.0, delta=1e-5, bounds=(0, 16), classes=range(10)).fit(X, y)
print(f"spent: epsilon {private.epsilon_:.3g} at delta {private.delta_:.0e}, in {len(private.ledger_)} answer")
print("not covered:", "; ".join(private.leaks_) or "nothing is left uncovered")
print(f"private to the end: {private.score(X_test, y_test):.3f}")

pipeline = make_pipeline(DPFDA(epsilon=1.0, delta=1e-5, bounds=(0, 16), classes=range(10)), LinearSVC()).fit(X, y)
print(f"projection private, SVM not: {pipeline.score(X_test, y_test):.3f}")
